/** A clock that moves only when somebody sleeps on it. */
export interface SteppingClock {
  /** Milliseconds. */
  at: number;
  now: () => number;
  sleep: (ms: number) => Promise<void>;
}

export function steppingClock(): SteppingClock {
  const clock: SteppingClock = {
    at: 0,
    now: () => clock.at,
    sleep: async (ms) => {
      clock.at += ms;
    },
  };
  return clock;
}
