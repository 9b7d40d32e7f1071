import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of sheet export: the code of each, and the sentence that a caller reads. */
export const sheetExportErrors = defineErrors({
  statusUnknown: [
    'invalid_request',
    ({ unknownStatus, orderStatuses }: Values<'unknownStatus' | 'orderStatuses'>) =>
      `"${unknownStatus}" is not a status of an order. The statuses are: ${orderStatuses}.`,
  ],
  tooManyDays: [
    'invalid_request',
    ({ daysBackMax }: Values<'daysBackMax'>) => `Only orders of the last ${daysBackMax} days can be written. Choose fewer days.`,
  ],
  headerRepeated: [
    'invalid_request',
    ({ header }: Values<'header'>) => `"${header}" is the header of another column too. Give each column its own.`,
  ],
  tabIsRead: ['conflict', 'Orders are written into this tab: its rows cannot become orders as well. Choose another tab.'],
})
