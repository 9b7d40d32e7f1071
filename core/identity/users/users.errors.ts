import { defineErrors } from '../../lib/errors/define-errors.ts'

/** Errors of users: the code of each, and the sentence that a caller reads. */
export const userErrors = defineErrors({
  adminNotImpersonated: ['forbidden', 'Platform administrators cannot be impersonated.'],
})
