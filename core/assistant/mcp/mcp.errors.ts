import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of mcp: the code of each, and the sentence that a caller reads. */
export const mcpErrors = defineErrors({
  tokenRenewing: ['mcp_server_failed', ({ name }: Values<'name'>) => `${name} is renewing its token. Try again in a moment.`],
  tokenRefused: [
    'mcp_server_failed',
    ({ name }: Values<'name'>) => `The authorization server of ${name} gave no new token; the next call asks again.`,
  ],
  serverFailing: [
    'mcp_server_failed',
    ({ name, seconds }: Values<'name' | 'seconds'>) => `${name} did not answer several times. Try again in ${seconds} s.`,
  ],
  serverTimedOut: ['upstream_timeout', ({ name }: Values<'name'>) => `${name} did not answer in time. Try again later.`],
  serverUnusable: ['mcp_server_failed', ({ name, reason }: Values<'name' | 'reason'>) => `${name} cannot be used: ${reason}`],
  serverUnreachable: ['mcp_server_failed', ({ name, reason }: Values<'name' | 'reason'>) => `${name} cannot be reached: ${reason}`],
  headersRefused: [
    'mcp_server_failed',
    ({ name }: Values<'name'>) => `${name} refuses its headers. Enter the ones that the server issued.`,
  ],
  credentialMissing: [
    'mcp_server_failed',
    ({ name }: Values<'name'>) => `${name} requires a credential: set its auth to headers or oauth.`,
  ],
  unexpectedStatus: [
    'mcp_server_failed',
    ({ name, status }: Values<'name' | 'status'>) => `${name} answered with status ${status}. Try again later.`,
  ],
  tooManyCalls: [
    'rate_limited',
    ({ callsMax, name }: Values<'callsMax' | 'name'>) => `At most ${callsMax} calls of ${name} can run at once. Wait a moment.`,
  ],
  signInUsed: ['invalid_code', 'This sign-in was used, has expired, or was started by another user. Start again.'],
  noOAuth: ['conflict', ({ name }: Values<'name'>) => `${name} does not use OAuth: set its auth to oauth first.`],
  noPkce: [
    'mcp_server_failed',
    ({ name }: Values<'name'>) => `The authorization server of ${name} does not support PKCE with S256, so sign-in is not possible.`,
  ],
  noSignInPage: [
    'mcp_server_failed',
    ({ name }: Values<'name'>) => `${name} names no valid page for signing in. Ask its operator to correct that.`,
  ],
  signInRefused: ['forbidden', ({ name, error }: Values<'name' | 'error'>) => `${name} refused the sign-in: ${error}. Start again.`],
  codeMissing: ['invalid_request', 'The browser returned without a code. Start again.'],
  wrongIssuer: [
    'mcp_server_failed',
    ({ name }: Values<'name'>) => `Another server than the authorization server of ${name} has answered. Start again.`,
  ],
  pageNotTrusted: [
    'invalid_request',
    ({ trusted }: Values<'trusted'>) => `Must be a page of ${trusted}, without a fragment. The operator adds others in CORS_ORIGINS.`,
  ],
  tooManySignIns: [
    'rate_limited',
    ({ startsMax, wait }: Values<'startsMax' | 'wait'>) => `At most ${startsMax} sign-ins can be started in a minute. Wait ${wait} s.`,
  ],
  signInNeeded: [
    'mcp_sign_in_needed',
    ({ name, reason, id }: Values<'name' | 'reason' | 'id'>) =>
      `${name} ${reason}. Sign in there: POST /v1/chat/mcp-servers/${id}/oauth/start.`,
  ],
  tooManyServers: ['limit_reached', ({ serversMax }: Values<'serversMax'>) => `There are ${serversMax} servers already. Delete one first.`],
  urlRefused: [
    'invalid_request',
    ({ refusal }: Values<'refusal'>) => `${refusal} Enter the https address of a server on the public internet.`,
  ],
  headersNotExpected: ['invalid_request', 'Headers require auth to be headers.'],
  clientNotExpected: ['invalid_request', 'A client requires auth to be oauth.'],
  headerNotAllowed: ['invalid_request', ({ name }: Values<'name'>) => `The header ${name} cannot be set here. Leave it out.`],
  headerValueInvalid: ['invalid_request', 'The value has characters that a header cannot have. Remove them.'],
})
