import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, Nullable, named, oneOf, Timestamp } from '../../http/schema.ts'

const Encoded = (maxLength: number) => T.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$', description: 'base64url' })
/** Accepts unknown members, because browsers add some from time to time. */
const open = { additionalProperties: true }

const common = {
  id: Encoded(1400),
  rawId: Encoded(1400),
  type: T.String({ maxLength: 40, description: 'public-key' }),
  clientExtensionResults: T.Optional(T.Object({}, open)),
  authenticatorAttachment: T.Optional(Nullable(T.String({ maxLength: 40 }))),
}

/** Result of a passkey ceremony. */
export const PasskeyOutcome = named(
  'PasskeyOutcome',
  oneOf(['done', 'failed'], { description: 'result of the ceremony, as the calling program reports it' }),
)

/** Start of a passkey ceremony. */
export const PasskeyCeremony = named(
  'PasskeyCeremony',
  T.Object({
    id: T.String({ description: 'send this id together with the response of the authenticator' }),
    options: T.Object({}, { ...open, description: 'WebAuthn JSON for parseCreationOptionsFromJSON or parseRequestOptionsFromJSON' }),
    expiresAt: Timestamp,
  }),
)

/** Body of the request that registers a passkey. */
export const PasskeyRegistration = named(
  'PasskeyRegistration',
  exact({
    id: Id,
    name: T.Optional(T.String({ minLength: 1, maxLength: 80, description: 'your name for the passkey; by default its device' })),
    response: T.Object(
      {
        ...common,
        response: T.Object(
          {
            clientDataJSON: Encoded(8_000),
            attestationObject: Encoded(40_000),
            transports: T.Optional(T.Array(T.String({ maxLength: 20 }), { maxItems: 10 })),
          },
          open,
        ),
      },
      open,
    ),
  }),
)
/** Type of {@link PasskeyRegistration}. */
export type PasskeyRegistration = Static<typeof PasskeyRegistration>

/** Body of the request that signs in with a passkey. */
export const PasskeyAuthentication = named(
  'PasskeyAuthentication',
  exact({
    id: Id,
    response: T.Object(
      {
        ...common,
        response: T.Object(
          {
            clientDataJSON: Encoded(8_000),
            authenticatorData: Encoded(8_000),
            signature: Encoded(2_000),
            userHandle: T.Optional(Nullable(T.String({ maxLength: 200 }))),
          },
          open,
        ),
      },
      open,
    ),
  }),
)
/** Type of {@link PasskeyAuthentication}. */
export type PasskeyAuthentication = Static<typeof PasskeyAuthentication>

/** Passkey as the API shows it. */
export const Passkey = named(
  'Passkey',
  T.Object({
    id: Id,
    name: T.String(),
    synced: T.Boolean({ description: 'true when the passkey is synchronized between devices' }),
    createdAt: Timestamp,
    lastUsedAt: Nullable(Timestamp),
  }),
)
/** Type of {@link Passkey}. */
export type Passkey = Static<typeof Passkey>
