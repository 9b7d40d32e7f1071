import type { MountedAdapter } from '../../../plugins/host/registry.ts'
import type { Connection } from '../../integrations/connections/connection.ts'

export type { SheetColumn } from '../../../plugins/spreadsheet/model.ts'

/** Connection to a spreadsheet. */
export type SpreadsheetConnection = Connection<MountedAdapter<'spreadsheet'>>
