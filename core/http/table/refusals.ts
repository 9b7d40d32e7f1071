import { ApiError, type Detail } from '../errors/errors.ts'

/** Refuses a file that cannot be read as a table; the message says what to do. */
export const unreadable = (message: string, details: readonly Detail[] = []) =>
  new ApiError('sheet_unreadable', message, details.length > 0 ? { details } : {})

export const broken = () => unreadable('The workbook is broken. Save it again as XLSX, or as CSV.')

/** Refuses rows, each by its number in the table. */
export const refusedRows = (problems: readonly { row: number; message: string }[]) =>
  unreadable(
    'The sheet has rows that cannot be taken; see details. Nothing was imported: mend them and upload it again.',
    problems.map(({ row, message }) => ({ path: `/file/rows/${row}`, message })),
  )
