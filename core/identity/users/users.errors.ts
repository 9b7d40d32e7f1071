import { defineErrors } from '../../lib/errors/define-errors.ts'

/** Errors of users: the code of each, and the sentence that a caller reads. */
export const userErrors = defineErrors({
  adminNotImpersonated: ['forbidden', 'Platform administrators cannot be impersonated.'],
  actingSessionMismatch: [
    'forbidden',
    'The kept session of an administrator does not belong to the session of this browser. Sign out, then sign in again.',
  ],
})
