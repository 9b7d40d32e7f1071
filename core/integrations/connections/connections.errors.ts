import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Sentences about an adapter that cannot be used, for `notEnabledError`: the code depends on the adapter's kind. */
export const notEnabledSentences = {
  notInstalled: (key: string) => `The adapter ${key} is not installed. See GET /v1/adapters.`,
  gone: 'The account is gone or switched off. Connect it again, or switch it on.',
  notOfStore: (label: string) => `The store has not enabled ${label}. Connect it, or switch it on, first.`,
  notConnected: (key: string, path: string) => `The store is not connected to ${key}. PUT ${path} first.`,
  switchedOff: (key: string, path: string) => `The store has not enabled ${key}. PUT ${path} first.`,
  gatewayGone: 'The gateway is not connected any more. Choose another one.',
  gatewayNotOfPlatform: 'The operator of this server has connected no such gateway: PUT /v1/platform/integrations/{key}.',
  signInOff: (label: string) => `Nobody can sign in with ${label} here: it is not set up, or switched off.`,
  noClientYet: (label: string) => `There is no client to sign in at ${label} with. Connect the store with one of its own first.`,
  noClient: (label: string, key: string) =>
    `There is no client to sign in at ${label} with. Enter the store's own, or ask an administrator to PUT /v1/platform/integrations/${key}.`,
} as const

/** Errors of connections: the code of each, and the sentence that a caller reads. */
export const connectionErrors = defineErrors({
  rateLimitReached: ['rate_limited', ({ wait }: Values<'wait'>) => `The rate limit is reached. Retry in ${wait} s.`],
  connectionAmbiguous: ['invalid_request', ({ key }: Values<'key'>) => `There are several connections to ${key}. Name one by its id.`],
  ownerNotSupported: ['not_found', ({ owner, label }: Values<'owner' | 'label'>) => `${owner} cannot connect to ${label}.`],
  fieldsInvalid: [
    'invalid_integration_fields',
    ({ label }: Values<'label'>) => `These are not the fields of ${label}; see details, and GET /v1/adapters.`,
  ],
  nameTaken: ['conflict', 'Another connection to this adapter has this name. Choose another name.'],
  signInInvalid: ['invalid_request', 'This sign-in was already used, has expired, or was started by somebody else. Start again.'],
  connectionGone: ['invalid_request', 'The connection no longer exists. Connect again.'],
  noSignIn: ['not_found', ({ label }: Values<'label'>) => `${label} has no sign-in. Connect it with its credentials.`],
  operationNotOffered: [
    'not_found',
    ({ label }: Values<'label'>) => `${label} does not offer this operation. GET /v1/adapters lists what it offers.`,
  ],
  authorizeUrlForeign: [
    'invalid_integration_fields',
    ({ authorizeUrl, label }: Values<'authorizeUrl' | 'label'>) =>
      `${authorizeUrl} is not an address of ${label}. Correct the settings that it is made of.`,
  ],
})
