import type { AuthenticationResponseJSON, AuthenticatorTransport, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { publish } from '../../data/subscribers.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { newId } from '../../lib/ids.ts'
import { findPublicUser, lockSession, tryLockUser } from '../auth/account.ts'
import type { SignInResult } from '../auth/auth.model.ts'
import type { ClientOrigin } from '../auth/sign-in/create-session.ts'
import { deviceOf } from '../auth/sign-in/device.ts'
import { completeSignIn, type Session } from '../auth/sign-in/sign-in.ts'
import { notifySignInMethodAdded } from '../auth/sign-in/sign-in-alerts.ts'
import { passkeyErrors } from './passkeys.errors.ts'
import type { Passkey, PasskeyAuthentication, PasskeyRegistration } from './passkeys.model.ts'
import {
  consumeChallenge,
  deletePasskey,
  findPasskeyByCredential,
  insertChallenge,
  insertPasskey,
  listPasskeyCredentials,
  lockAndCountPasskeys,
  recordPasskeyUse,
} from './passkeys.queries.ts'

declare module '../../data/subscribers.ts' {
  interface DomainEvents {
    /** Published when a passkey of a user was deleted. The user is locked. */
    'passkey.removed': { userId: string }
  }
}

/** Loads the library with the first ceremony, since most starts never need it. */
const loadLibrary = () => import('@simplewebauthn/server')

const LIFE_MS = 5 * 60_000
const PASSKEYS_MAX = 30
/** COSE ids of the signature algorithms that authenticators support: ES256, EdDSA, RS256. */
const ALGORITHMS = [-7, -8, -257]

/** WebAuthn relying party: the host of the passkeys, and the origins of the pages that may use them. */
export interface RelyingParty {
  readonly host: string
  readonly origins: string[]
}

/** Builds the relying party from the public address of the server. Origins of CORS are included when they are subdomains of it. */
export function relyingPartyOf(origin: string, corsOrigins: readonly string[]): RelyingParty {
  const { hostname } = new URL(origin)
  const isOurs = (other: string) => {
    const host = URL.parse(other)?.hostname
    return host !== undefined && (host === hostname || host.endsWith(`.${hostname}`))
  }
  return { host: hostname, origins: [origin, ...corsOrigins.filter(isOurs)] }
}

/** Stores the challenge of a ceremony and builds the response with its options. */
async function storeChallenge({ sql }: Pick<Context, 'sql'>, userId: string | null, options: { challenge: string }) {
  const [id, expiresAt] = [newId('pkc'), new Date(Date.now() + LIFE_MS)]
  await insertChallenge(sql, { id, userId, challenge: options.challenge, expiresAt })
  return { id, options: { ...options }, expiresAt: expiresAt.toISOString() }
}

/** Starts the registration of a passkey. It must be discoverable, and its authenticator must verify the user by biometrics or a PIN. */
export async function beginRegistration(context: Context, userId: string, { host }: RelyingParty) {
  const user = await findPublicUser(context.sql, userId)
  if (!user) throw notFound('The account')
  const existing = await listPasskeyCredentials(context.sql, userId)
  const { generateRegistrationOptions } = await loadLibrary()
  const options = await generateRegistrationOptions({
    rpName: context.mail.from.name || 'Serai',
    rpID: host,
    userName: user.email,
    userDisplayName: user.name,
    userID: new TextEncoder().encode(userId),
    timeout: LIFE_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: existing.map(({ credentialId, transports }) => ({ id: credentialId, transports: transportsOf(transports) })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  return storeChallenge(context, userId, options)
}

/**
 * Stores a registered passkey and mails its user. The challenge works only once. Throws `passkey_refused` when the response does not match
 * it, and `limit_reached`.
 */
export async function finishRegistration(
  tx: Tx,
  context: Pick<Context, 'mail'>,
  session: Session,
  { id, name, response }: PasskeyRegistration,
  party: RelyingParty,
  userAgent: string,
): Promise<Passkey> {
  const { userId } = session
  const challenge = await consumeChallenge(tx, id, userId)
  if (challenge === undefined) throw passkeyErrors.ceremonyEnded()
  const answer = { ...response, clientExtensionResults: response.clientExtensionResults ?? {} } as RegistrationResponseJSON
  const { verifyRegistrationResponse } = await loadLibrary()
  const { registrationInfo } = await verifyRegistrationResponse({
    response: answer,
    expectedChallenge: challenge,
    expectedOrigin: party.origins,
    expectedRPID: party.host,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch((cause) => refuse(cause))
  if (!registrationInfo) return refuse(new Error('not verified'))
  const { credential, credentialBackedUp } = registrationInfo
  await lockSession(tx, session)
  if ((await lockAndCountPasskeys(tx, userId)) >= PASSKEYS_MAX) throw passkeyErrors.tooManyPasskeys({ passkeysMax: PASSKEYS_MAX })
  const device = deviceOf(userAgent)
  const made = await insertPasskey(tx, {
    id: newId('psk'),
    userId,
    credentialId: credential.id,
    publicKey: credential.publicKey,
    counter: credential.counter,
    transports: credential.transports ?? [],
    name: name ?? device,
    synced: credentialBackedUp,
  })
  await notifySignInMethodAdded(tx, context, userId, `Passkey, ${device}`)
  return made
}

/** Starts a sign-in with any passkey of this host, so that the user need not be named. */
export async function beginAuthentication(context: Context, { host }: RelyingParty) {
  const { generateAuthenticationOptions } = await loadLibrary()
  return storeChallenge(context, null, await generateAuthenticationOptions({ rpID: host, userVerification: 'required', timeout: LIFE_MS }))
}

/**
 * Signs in the user of a passkey. It counts as two factors: possession, and the unlocking of the authenticator. Throws
 * `invalid_credentials`.
 */
export async function finishAuthentication(
  context: Context,
  { id, response }: PasskeyAuthentication,
  party: RelyingParty,
  origin: ClientOrigin,
): Promise<SignInResult> {
  const challenge = await consumeChallenge(context.sql, id, null)
  const known = challenge === undefined ? undefined : await findPasskeyByCredential(context.sql, response.id)
  if (challenge === undefined || !known || !isOwnHandle(known.userId, response.response.userHandle)) throw unknownPasskey()
  const { credentialId, publicKey, counter, transports } = known
  const { verifyAuthenticationResponse } = await loadLibrary()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...response, clientExtensionResults: response.clientExtensionResults ?? {} } as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: party.origins,
    expectedRPID: party.host,
    credential: { id: credentialId, publicKey: Uint8Array.from(publicKey), counter, transports: transportsOf(transports) },
    requireUserVerification: true,
  }).catch((cause: unknown) => {
    throw unknownPasskey(cause)
  })
  if (!verified) throw unknownPasskey()
  return transaction(context.sql, async (tx) => {
    if (!(await recordPasskeyUse(tx, known.id, authenticationInfo.newCounter))) throw unknownPasskey()
    return completeSignIn(tx, context, known.userId, origin, { means: 'passkey' })
  })
}

/** Deletes a passkey of a user. Throws `last_way_in` when no sign-in method would be left, also with concurrent requests. */
export const removePasskey = ({ sql }: Pick<Context, 'sql'>, userId: string, id: string): Promise<void> =>
  transaction(sql, async (tx) => {
    if (!(await tryLockUser(tx, userId))) throw notFound('The account')
    if (!(await deletePasskey(tx, userId, id))) throw notFound('The passkey')
    await publish(tx, 'passkey.removed', { userId })
  })

const isOwnHandle = (userId: string, handle: string | null | undefined) =>
  handle === undefined || handle === null || Buffer.from(handle, 'base64url').toString() === userId

const transportsOf = (transports: readonly string[]) => transports as AuthenticatorTransport[]

const refuse = (cause: unknown): never => {
  throw passkeyErrors.responseMismatch({ cause })
}

const unknownPasskey = (cause?: unknown) => passkeyErrors.passkeyUnknown({ cause })
