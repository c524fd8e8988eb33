/**
 * Questions that wait for a person on 2025-11-25 connections: each holds its whole call until it is answered. They are
 * bounded per session, per principal and in all; beyond that the oldest is dropped, and its call is answered.
 */

export interface QuestionLimits {
  session: number;
  principal: number;
  all: number;
}

export const QUESTION_LIMITS: QuestionLimits = { session: 32, principal: 64, all: 256 };

export interface OpenQuestion {
  /** Any object that stands for the session. */
  session: object;
  principal: string;
  drop: () => void;
}

export class OpenQuestions {
  readonly #limits: QuestionLimits;
  /** In order of age. */
  readonly #open = new Set<OpenQuestion>();

  constructor(limits = QUESTION_LIMITS) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Drops the oldest that stand in the way of this one. */
  add(question: OpenQuestion): void {
    const { session, principal, all } = this.#limits;
    this.#makeRoom(session, (other) => other.session === question.session);
    this.#makeRoom(principal, (other) => other.principal === question.principal);
    this.#makeRoom(all, () => true);
    this.#open.add(question);
  }

  remove(question: OpenQuestion): void {
    this.#open.delete(question);
  }

  #makeRoom(most: number, counts: (other: OpenQuestion) => boolean): void {
    const counted = [...this.#open].filter(counts);
    for (const oldest of counted.slice(0, Math.max(0, counted.length + 1 - most))) {
      this.#open.delete(oldest);
      oldest.drop();
    }
  }
}
