import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of ads: the code of each, and the sentence that a caller reads. */
export const adErrors = defineErrors({
  credentialMissing: ['unauthenticated', 'Send a credential: Authorization: Bearer …'],
  noAccount: ['invalid_request', 'No ad account is linked. PATCH …/ads/settings with its accountIds first.'],
  accountAmbiguous: ['invalid_request', 'Several ad accounts are linked. Name one.'],
  accountNotLinked: ['invalid_request', 'This ad account is not linked. PATCH …/ads/settings with its id in accountIds first.'],
  orderStatusUnknown: [
    'invalid_request',
    ({ status, orderStatuses }: Values<'status' | 'orderStatuses'>) => `An order is never "${status}". It is one of ${orderStatuses}.`,
  ],
  eventUnknown: [
    'invalid_request',
    ({ label, name, events }: Values<'label' | 'name' | 'events'>) => `${label} knows no event "${name}". It knows ${events}.`,
  ],
  accountForbidden: [
    'invalid_request',
    'The signed-in user cannot access this account. GET …/ad-accounts lists the accounts to choose from.',
  ],
  timeZoneUnknown: [
    'invalid_request',
    ({ timeZone }: Values<'timeZone'>) => `The time zone ${timeZone} of this account is unknown. Link another account.`,
  ],
  currencyAmbiguous: ['invalid_request', ({ currencies }: Values<'currencies'>) => `The linked accounts spend in ${currencies}. Name one.`],
})
