import { kind } from '../kind.ts'
import { CONTRACT, definition, members, type SpreadsheetAdapter } from './members.ts'
import { spreadsheetOperations } from './operations.ts'

export { CONTRACT, type SpreadsheetAdapter }

/** Tables that people keep elsewhere, and that orders are written into. */
export const spreadsheet = kind({
  name: 'spreadsheet',
  contract: CONTRACT,
  home: import.meta.dir,
  tag: 'Spreadsheets',
  scopes: { read: 'orders:read', write: 'orders:write' },
  definition,
  members,
  operations: spreadsheetOperations,
  answers: { times: ['modifiedAt'] },
})
