import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of dispatch: the code of each, and the sentence that a caller reads. */
export const dispatchErrors = defineErrors({
  ruleNameTaken: ['invalid_request', 'Another rule has this name. Choose another, because shares are counted by name.'],
  rangeEmpty: ['invalid_request', 'min is above max, so it would never match. Exchange them.'],
  carrierUnknown: ['invalid_request', ({ carrier }: Values<'carrier'>) => `There is no carrier "${carrier}". See GET /v1/adapters.`],
  carrierRepeated: ['invalid_request', 'The rule lists this carrier twice. List it once.'],
  shareMissing: ['invalid_request', 'Required for each carrier of a rule that chooses by share.'],
})
