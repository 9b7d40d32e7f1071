import { eraseBySearch } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import { stopExport } from './configure-target.ts'
import { deleteRowsWithoutTarget, requestChangedRows, requestDueSheetWrites } from './due-writes.ts'
import { sheetExportErrors } from './sheet-export.errors.ts'
import * as host from './sheet-operations.ts'
import { lockTarget } from './sheets.queries.ts'
import { sheetsSignInRoutes } from './sheets.routes.ts'
import { writeSheet } from './write-sheet.ts'

/** Export of orders to rows of the store's external spreadsheets. */
export default feature('sheet-export', {
  routes: [sheetsSignInRoutes],
  operations: {
    spreadsheet: {
      list: host.listFiles,
      files: host.listFilesOfStore,
      tabs: host.listTabs,
      tabsOfFile: host.listTabsOfStoreFile,
      headers: host.readHeaders,
      createSpreadsheet: host.createSpreadsheet,
      create: host.createTarget,
      target: { worksWhenDisabled: host.readTarget },
      configure: host.setTarget,
      stop: { worksWhenDisabled: host.stopTarget },
      fieldMapping: host.setFieldMapping,
      syncHeaders: host.syncHeaders,
      appendRow: host.appendRow,
    },
  },
  jobs: {
    'sheets.writeDue': { schedule: '* * * * *', work: requestDueSheetWrites },
    'sheets.write': { work: (context, { connectionId }, signal) => writeSheet(context, connectionId, signal) },
    'sheets.deleteOrphanedRows': { schedule: '23 3 * * *', work: deleteRowsWithoutTarget },
  },
  subscribers: {
    'orders.changed': (tx, { changes }) => requestChangedRows(tx, changes),
    'connection.removed': (tx, { connection }) => stopExport(tx, connection),
    async 'sheet.source_chosen'(tx, { projectId, connectionId, spreadsheetId, tabId }) {
      const target = await lockTarget(tx, { projectId, connectionId })
      if (target?.spreadsheetId === spreadsheetId && target.tabId === tabId) throw sheetExportErrors.tabIsRead()
    },
  },
  personalData: [eraseBySearch({ table: 'sheet_rows', owner: 'order', key: ['connection_id', 'order_id'], columns: { fields: 'json' } })],
})
