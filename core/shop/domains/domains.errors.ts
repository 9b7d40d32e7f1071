import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of the domains of stores: the code of each, and the sentence that a caller reads. */
export const storeDomainErrors = defineErrors({
  domainsOff: ['conflict', 'This server does not accept domains. Its operator must set PUBLIC_URL or DOMAIN_TARGET.'],
  hostInvalid: ['invalid_request', 'Must be a public host name, such as shop.example.com.'],
  hostReserved: ['invalid_request', 'This host belongs to the server itself. Use another one.'],
  tooManyChecks: [
    'rate_limited',
    ({ checksPerMinute, wait }: Values<'checksPerMinute' | 'wait'>) =>
      `The DNS is queried at most ${checksPerMinute} times a minute. Wait ${wait} s.`,
  ],
  askForbidden: ['forbidden', 'Ask from the same machine, or with the token of DOMAIN_ASK_TOKEN.'],
})
