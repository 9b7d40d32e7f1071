import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of imports: the code of each, and the sentence that a caller reads. */
export const importErrors = defineErrors({
  columnsUnknown: [
    'sheet_columns_unknown',
    ({ why, subject, names }: Values<'why' | 'subject' | 'names'>) =>
      `${why} A sheet of ${subject} has ${names}; GET …/imports/columns lists their headings.`,
  ],
  sheetTooSlow: ['sheet_unreadable', 'The sheet takes too long to read. Split it.'],
  tooManySheets: ['unavailable', 'Too many sheets are being read. Try again in a few seconds.'],
  formUnreadable: ['invalid_request', 'The form cannot be read.'],
  fieldUnknown: ['invalid_request', ({ fields }: Values<'fields'>) => `Unknown field. The form has ${fields}.`],
  trueOrFalse: ['invalid_request', 'Write true or false.'],
  fileMissing: ['invalid_request', 'Put the sheet here, as CSV or XLSX.'],
  fileTooLarge: ['payload_too_large', ({ fileMax }: Values<'fileMax'>) => `The sheet may have at most ${fileMax} bytes.`],
  tooManyImports: [
    'conflict',
    ({ openImportsMax }: Values<'openImportsMax'>) => `${openImportsMax} imports of the store are in progress. Wait until one is done.`,
  ],
})
