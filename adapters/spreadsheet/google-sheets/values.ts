import { type Row, written } from 'serai/spreadsheet'
import { pathOf, range } from './a1.ts'
import { callSheets } from './api.ts'
import type { Context } from './fields.ts'

const TEXT_MAX = 5_000

/** What a person sees in a part of a tab, row by row. Of empty cells at the end of a row, and of empty rows at the end, nothing is told. */
export async function valuesOf(context: Context, spreadsheetId: string, title: string, part: string): Promise<string[][]> {
  const found = await callSheets(context, pathOf(spreadsheetId, 'values', range(title, part)), {
    query: { majorDimension: 'ROWS', valueRenderOption: 'FORMATTED_VALUE' },
  })
  return tableIn(found)
}

/** An empty part has no `values` at all. */
const tableIn = ({ values }: Row): string[][] =>
  (Array.isArray(values) ? values : []).map((row: unknown) => (Array.isArray(row) ? row.map((cell) => written(cell, TEXT_MAX)) : []))

/** Texts stay texts: whatever a customer types is never run as a formula. */
export const AS_IT_IS = 'RAW'
