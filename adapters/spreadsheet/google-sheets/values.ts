import { type Row, written } from 'serai/spreadsheet'
import { pathOf, range } from './a1.ts'
import { callSheets } from './api.ts'
import type { Context } from './fields.ts'

const TEXT_MAX = 5_000

/** Reads the displayed values of a range by row, without trailing empty cells and rows. */
export async function valuesOf(context: Context, spreadsheetId: string, title: string, part: string): Promise<string[][]> {
  const found = await callSheets(context, pathOf(spreadsheetId, 'values', range(title, part)), {
    query: { majorDimension: 'ROWS', valueRenderOption: 'FORMATTED_VALUE' },
  })
  return tableIn(found)
}

/** Returns the values; an empty range has no `values`. */
const tableIn = ({ values }: Row): string[][] =>
  (Array.isArray(values) ? values : []).map((row: unknown) => (Array.isArray(row) ? row.map((cell) => written(cell, TEXT_MAX)) : []))

/** Input option that keeps text as text: a customer's input never runs as a formula. */
export const AS_IT_IS = 'RAW'
