import type { MultiPolygon } from '../shapes/border.ts'
import type { Written } from './place-row.ts'

/** A place as it stands in a file, and where. */
export interface Line {
  readonly line: number
  readonly written: Written
  /** Of a feature with a surface. */
  readonly border?: MultiPolygon
}

/** A file, or a line of it, that is not as it has to be. What it says is for whoever gave the file. */
export class Unreadable extends Error {}
