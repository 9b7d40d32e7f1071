import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

const describeColumns = ({ subject, names }: Values<'subject' | 'names'>) =>
  `A sheet of ${subject} has ${names}; GET …/imports/columns lists their headings.`

/** Errors of imports: the code of each, and the sentence that a caller reads. */
export const importErrors = defineErrors({
  columnUnknown: [
    'sheet_columns_unknown',
    ({ heading, ...expected }: Values<'heading' | 'subject' | 'names'>) =>
      `No column is called "${heading}". Send ignoreUnknown=true to ignore such columns. ${describeColumns(expected)}`,
  ],
  columnRepeated: [
    'sheet_columns_unknown',
    ({ column, heading, ...expected }: Values<'column' | 'heading' | 'subject' | 'names'>) =>
      `Two columns are called ${column}: the second is "${heading}". ${describeColumns(expected)}`,
  ],
  columnMissing: [
    'sheet_columns_unknown',
    ({ needed, ...expected }: Values<'needed' | 'subject' | 'names'>) => `It has no column ${needed}. ${describeColumns(expected)}`,
  ],
  sheetTooSlow: ['sheet_unreadable', 'The sheet takes too long to read. Split it.'],
  tooManySheets: ['unavailable', 'Too many sheets are being read. Try again in a few seconds.'],
  fieldUnknown: ['invalid_request', ({ fields }: Values<'fields'>) => `Unknown field. The form has ${fields}.`],
  trueOrFalse: ['invalid_request', 'Write true or false.'],
  fileMissing: ['invalid_request', 'Put the sheet here, as CSV or XLSX.'],
  fileTooLarge: ['payload_too_large', ({ fileMax }: Values<'fileMax'>) => `The sheet may have at most ${fileMax} bytes. Split it.`],
  tooManyImports: [
    'conflict',
    ({ openImportsMax }: Values<'openImportsMax'>) => `${openImportsMax} imports of the store are in progress. Wait until one is done.`,
  ],
})
