/**
 * The clock by which consumed ids are forgotten: never ahead of the time that passed since the start. One that jumps ahead and back would
 * forget ids that count again afterwards.
 */
export const steadyNow = (): number => Math.min(Date.now(), performance.timeOrigin + performance.now());
