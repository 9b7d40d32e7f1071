import { defineErrors, type Values } from './define-errors.ts'

/** Errors of several features: the code of each, and the sentence that a caller reads. */
export const sharedErrors = defineErrors({
  tooManyDecimals: ['invalid_request', ({ places }: Values<'places'>) => `At most ${places} decimals.`],
  noDecimals: ['invalid_request', ({ currency }: Values<'currency'>) => `${currency} has no decimals.`],
  timeInPast: ['invalid_request', 'Must be in the future.'],
  addressUnreachable: ['invalid_request', 'No mail can be sent to this address. Check it, or use another one.'],
  formUnreadable: ['invalid_request', 'The form cannot be read. Send it as multipart/form-data.'],
})
