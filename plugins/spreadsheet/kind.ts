import { kind } from '../kind.ts'
import { CONTRACT, definition, members, type SpreadsheetAdapter } from './members.ts'
import { spreadsheetOperations } from './operations.ts'

export { CONTRACT, type SpreadsheetAdapter }

/** Kind of online spreadsheets, into which orders are written. */
export const spreadsheet = kind({
  name: 'spreadsheet',
  contract: CONTRACT,
  directory: import.meta.dir,
  tag: 'Spreadsheets',
  scopes: { read: 'orders:read', write: 'orders:write' },
  definition,
  members,
  operations: spreadsheetOperations,
  outputFields: { times: ['modifiedAt'] },
})
