import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, Nullable, named, oneOf, Timestamp } from '../../http/schema.ts'

const Encoded = (maxLength: number) => T.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$', description: 'base64url' })
/** Browsers say more than is needed, and other things from year to year. */
const open = { additionalProperties: true }

const common = {
  id: Encoded(1400),
  rawId: Encoded(1400),
  type: T.String({ maxLength: 40, description: 'public-key' }),
  clientExtensionResults: T.Optional(T.Object({}, open)),
  authenticatorAttachment: T.Optional(Nullable(T.String({ maxLength: 40 }))),
}

export const PasskeyOutcome = named(
  'PasskeyOutcome',
  oneOf(['done', 'failed'], { description: 'how it went, as the program that asked for the passkey says' }),
)

export const Ceremony = named(
  'PasskeyCeremony',
  T.Object({
    id: T.String({ description: 'to be sent with what the authenticator answers' }),
    options: T.Object({}, { ...open, description: 'as JSON of WebAuthn: for parseCreationOptionsFromJSON or parseRequestOptionsFromJSON' }),
    expiresAt: Timestamp,
  }),
)

export const Registration = named(
  'PasskeyRegistration',
  exact({
    id: Id,
    name: T.Optional(T.String({ minLength: 1, maxLength: 80, description: 'as you call it; its device unless said' })),
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
export type Registration = Static<typeof Registration>

export const Authentication = named(
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
export type Authentication = Static<typeof Authentication>

export const Passkey = named(
  'Passkey',
  T.Object({
    id: Id,
    name: T.String(),
    synced: T.Boolean({ description: 'whether it is on several devices of its person' }),
    createdAt: Timestamp,
    lastUsedAt: Nullable(Timestamp),
  }),
)
export type Passkey = Static<typeof Passkey>
