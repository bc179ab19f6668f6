/** Five board games and what every move in them is worth. */

/** A text in both languages. */
export interface Phrase {
  en: string;
  ko: string;
}

export interface Option {
  name: string;
  /** What follows it, such as `N`; null for a switch. */
  argument: string | null;
  help: Phrase;
  value: string;
  /** All possible values; null: too many to list. */
  choices: string[] | null;
}

export interface Game {
  name: string;
  title: Phrase;
  about: Phrase;
  /** The fields of a position: "OPEN PLAYER SCORES ROLL". */
  position_shape: string;
  players: number;
  /** Whether there are chance events. */
  chance: boolean;
  start: string;
  rules: Record<string, string | number | boolean>;
  options: Option[];
  examples: { what: Phrase; rules: string; position: string }[];
}

/** A move or chance event, and the position after it. */
export interface Step {
  move: string;
  told: Phrase;
  /** The squares that a piece passes. */
  trace: string[];
  after: string;
}

export interface Position {
  game: string;
  rules: Record<string, string | number | boolean>;
  position: string;
  /** Whose turn it is, from 0 up. */
  player: number;
  moves?: Step[];
  throws?: (Step & { chance: number })[];
  [more: string]: unknown;
}

export interface MoveValue extends Step {
  value: number;
  exact: boolean;
  /** How much worse than the best move. */
  loss: number;
}

export interface Evaluation {
  game: string;
  rules: Record<string, string | number | boolean>;
  position: string;
  player: number;
  /** What a value is: "chance of winning". */
  meaning: Phrase;
  lower_is_better: boolean;
  /** To the player whose turn it is. */
  value: number;
  /** To each player. */
  values: number[];
  /** False: an estimate. */
  exact: boolean;
  error_bound: number | null;
  typical_error: number | null;
  method: string;
  /** As a fraction, where it is one. */
  fraction?: string;
  note?: string;
  /** Best first. */
  moves?: MoveValue[];
  throws?: (Step & { chance: number; value: number })[];
  [more: string]: unknown;
}

/** What is wrong with a game, its rules or a position. */
export class MalpanError extends Error {
  code: string;
  inKorean?: string;
}

/** The games, their options, and positions worth showing. */
export function games(): Game[];

/** What can be done at a position, or after `move`; without a position, at the start. */
export function position(game: string, position?: string, more?: { rules?: string; move?: string }): Position;

/** What a position is worth, and each of its moves. `rules` are options as typed for the program:
 * `"--pieces 2"`. */
declare function evaluate(game: string, position?: string, more?: { rules?: string }): Evaluation;
export { evaluate as eval };
