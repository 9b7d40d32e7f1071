import type { MultiPolygon } from '../shapes/border.ts'
import type { PlaceColumns } from './place-row.ts'

/** Place in a file, with its line. */
export interface PlaceLine {
  readonly line: number
  readonly written: PlaceColumns
  /** Border of a feature with an area. */
  readonly border?: MultiPolygon
}

/** Error of a file or a line. Its message is for the person who provided the file. */
export class ImportError extends Error {}
