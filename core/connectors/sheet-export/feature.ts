import { eraseBySearch } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import { ApiError } from '../../http/errors/errors.ts'
import { stopFor } from './configure.ts'
import { forget, writeDue } from './due.ts'
import * as host from './host.ts'
import { lockTarget } from './sheets.queries.ts'
import { sheets } from './sheets.routes.ts'
import { writeSheet } from './write.ts'

/** Export of orders to rows of the store's external spreadsheets. */
const ROWS = `Marks the order's row in each spreadsheet that it belongs to; the job sheets.writeDue writes it. Orders change in many places and in
  bulk; a subscriber would cost a round trip for each order.`

export default feature('sheets', {
  routes: [sheets],
  operations: {
    spreadsheet: {
      list: host.list,
      files: host.files,
      tabs: host.tabs,
      tabsOfFile: host.tabsOfFile,
      headers: host.headers,
      createSpreadsheet: host.createSpreadsheet,
      create: host.create,
      target: { evenOff: host.target },
      configure: host.setUp,
      stop: { evenOff: host.end },
      fieldMapping: host.fieldMapping,
      syncHeaders: host.syncHeaders,
      appendRow: host.appendRow,
    },
  },
  jobs: {
    'sheets.writeDue': { schedule: '* * * * *', work: writeDue },
    'sheets.write': { work: (context, { connectionId }, signal) => writeSheet(context, connectionId, signal) },
    'sheets.forget': { schedule: '23 3 * * *', work: forget },
  },
  subscribers: {
    'connection.leaving': (tx, { connection }) => stopFor(tx, connection.id),
    async 'rows.choosing'(tx, { connectionId, spreadsheetId, tabId }) {
      const target = await lockTarget(tx, connectionId)
      if (target?.spreadsheetId === spreadsheetId && target.tabId === tabId)
        throw new ApiError('conflict', 'Orders are written into this tab: its rows cannot become orders as well. Choose another tab.')
    },
  },
  triggers: [
    { table: 'orders', name: 'sheets_new', on: ['insert'], function: 'sheets_mark', why: ROWS },
    { table: 'orders', name: 'sheets_change', on: ['update'], function: 'sheets_mark', why: ROWS },
  ],
  personalData: [eraseBySearch({ table: 'sheet_rows', owner: 'order', key: ['connection_id', 'order_id'], columns: { said: 'json' } })],
})
