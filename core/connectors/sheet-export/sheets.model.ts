import type { Mounted } from '../../../plugins/host/registry.ts'
import type { Connection } from '../../integrations/connections/connection.ts'

export type { SheetColumn } from '../../../plugins/spreadsheet/model.ts'

export type SpreadsheetConnection = Connection<Mounted<'spreadsheet'>>
