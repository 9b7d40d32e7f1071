import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of uploads: the code of each, and the sentence that a caller reads. */
export const uploadErrors = defineErrors({
  fieldUnknown: ['invalid_request', 'Unknown field. Send the file in the field `file`, and nothing else.'],
  fileMissing: ['invalid_request', 'Send one file here.'],
  fileTooLarge: ['payload_too_large', ({ fileMax }: Values<'fileMax'>) => `A file may have at most ${fileMax} bytes.`],
})
