import { ApiError, type ErrorDetail } from '../errors/errors.ts'

/** Builds the error for a file that cannot be read as a table. The message says what to do. */
export const unreadableSheet = (message: string, details: readonly ErrorDetail[] = []) =>
  new ApiError('sheet_unreadable', message, details.length > 0 ? { details } : {})

/** Builds the error for a corrupt workbook. */
export const brokenWorkbook = () => unreadableSheet('The workbook is broken. Save it again as XLSX, or as CSV.')

/** Builds the error for invalid rows, each with its number in the table. */
export const invalidRows = (problems: readonly { row: number; message: string }[]) =>
  unreadableSheet(
    'The sheet has rows that cannot be imported; see details. Nothing was imported: correct the rows and upload it again.',
    problems.map(({ row, message }) => ({ path: `/file/rows/${row}`, message })),
  )
