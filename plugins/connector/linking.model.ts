import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Maybe, PrintableText } from '../schema.ts'
import { Instant } from './values.model.ts'

/** OAuth tokens that a callback delivers. Of two sets, the one that expires later is newer. */
export const HandedTokens = exact({
  accessToken: PrintableText(4000, 1),
  refreshToken: Maybe(PrintableText(4000, 1)),
  expiresAt: Instant,
})
/** Type of {@link HandedTokens}. */
export type HandedTokens = Static<typeof HandedTokens>
/** Tokens of a callback: empty if they are not for this connection, null if the callback delivers none. */
export type Handed = { readonly tokens?: HandedTokens } | null

/** Credentials and settings that a set-up adds to the entered ones. */
export const SetUp = exact({
  credentials: Maybe(T.Record(T.String({ maxLength: 60 }), T.String({ maxLength: 500 }))),
  settings: Maybe(T.Record(T.String({ maxLength: 60 }), T.String({ maxLength: 500 }))),
})
/** Type of {@link SetUp}. */
export type SetUp = Static<typeof SetUp>

/** Request for the page on which a shop's owner approves the creation of keys. */
export const LinkAsked = exact({
  shop: PrintableText(253, 1),
  app: PrintableText(80, 1),
  /** Opaque value that works once. It alone identifies the connection of the keys. */
  state: T.String({ minLength: 16, maxLength: 100 }),
  returnUrl: T.String({ maxLength: 1000 }),
  callbackUrl: T.String({ maxLength: 1000 }),
  /** Address for callbacks of the store's shops on this platform; their proof identifies the shop. */
  webhookUrl: T.String({ maxLength: 1000 }),
})
/** Type of {@link LinkAsked}. */
export type LinkAsked = Static<typeof LinkAsked>
/** Keys that the shop sends after the owner's approval. */
export const LinkAnswered = exact({
  state: T.String({ minLength: 1, maxLength: 200 }),
  credentials: T.Record(T.String({ maxLength: 60 }), T.String({ maxLength: 500 })),
})
/** Type of {@link LinkAnswered}. */
export type LinkAnswered = Static<typeof LinkAnswered>
