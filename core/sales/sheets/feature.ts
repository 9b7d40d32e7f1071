import { feature } from '../../feature.ts'
import { stopFor } from './configure.ts'
import { forget, writeDue } from './due.ts'
import * as host from './host.ts'
import { sheets } from './sheets.routes.ts'
import { writeSheet } from './write.ts'

/** Orders as rows of spreadsheets that stores keep elsewhere. */
export default feature('sheets', {
  routes: [sheets],
  serves: {
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
    'sheets.writeDue': { at: '* * * * *', work: writeDue },
    'sheets.write': { work: (context, { connectionId }, signal) => writeSheet(context, connectionId, signal) },
    'sheets.forget': { at: '23 3 * * *', work: forget },
  },
  follows: {
    'connection.leaving': (tx, { connection }) => stopFor(tx, connection.id),
  },
})
