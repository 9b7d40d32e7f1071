import { defineErrors } from '../../lib/errors/define-errors.ts'

/** Errors of customers: the code of each, and the sentence that a caller reads. */
export const customerErrors = defineErrors({
  sameCustomer: ['invalid_request', 'This is the same customer. Name the other one.'],
})
