import { defineErrors } from '../../lib/errors/define-errors.ts'

/** Errors of transfers: the code of each, and the sentence that a caller reads. */
export const transferErrors = defineErrors({
  ownAddress: ['invalid_request', 'This is your own address. Enter the address of another user.'],
  nothingOwned: ['conflict', 'You own nothing that can be transferred.'],
  tooManyMails: ['rate_limited', 'Too many mails to this address within an hour. Wait an hour.'],
  linkInvalid: ['invalid_code', 'This link was used or has expired. Ask the sender for another transfer.'],
  receiverUnknown: ['not_found', 'No account has this address confirmed. Sign up with it and confirm it, then accept.'],
})
