import { type Static, Type as T } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Context } from '../../context.ts'
import { type Scope, scopes } from '../../http/auth/scopes.ts'
import { named } from '../../http/schema.ts'
import { newToken, sha256 } from '../../lib/crypto/crypto.ts'
import { newId } from '../../lib/ids.ts'
import type { App } from './client.ts'
import { problemOfRedirectUri } from './redirect-uris.ts'
import { countUnused, deleteUnused, insertRegistered, type NewRegistration } from './registered.queries.ts'

export const UNUSED_MAX = 5_000
const BATCH = 1_000

const Text = (maxLength: number) => T.String({ minLength: 1, maxLength })
const Texts = T.Array(Text(200), { maxItems: 50 })

/** Client metadata (RFC 7591, section 2). Fields that are not listed are ignored, as the RFC asks. */
export const ClientMetadata = named(
  'ClientRegistration',
  T.Object(
    {
      redirect_uris: T.Array(Text(2_000), {
        minItems: 1,
        maxItems: 20,
        description: 'https, a scheme of its own with a dot in it, or http on localhost',
      }),
      client_name: T.Optional(T.String({ maxLength: 200, description: 'shown to the person who is asked' })),
      client_uri: T.Optional(T.String({ maxLength: 2_000, description: 'the website of the client' })),
      token_endpoint_auth_method: T.Optional(Text(60)),
      grant_types: T.Optional(Texts),
      response_types: T.Optional(Texts),
      scope: T.Optional(T.String({ maxLength: 2_000, description: 'scopes separated by spaces; unknown ones are left out' })),
    },
    { additionalProperties: true },
  ),
)
export type ClientMetadata = Static<typeof ClientMetadata>

/** A problem with client metadata, by the error code of RFC 7591, section 3.2.2. */
export class MetadataProblem extends Error {
  override readonly name = 'MetadataProblem'
  constructor(
    readonly code: 'invalid_redirect_uri' | 'invalid_client_metadata',
    message: string,
  ) {
    super(message)
  }
}

const METHODS = ['client_secret_basic', 'client_secret_post', 'none']

/** Checks client metadata and gives what is kept of it. Throws `MetadataProblem`. */
export function readMetadata(metadata: unknown): {
  readonly kept: Omit<NewRegistration, 'id' | 'secretHash' | 'secretLast4'>
  readonly method: string
} {
  if (!Value.Check(ClientMetadata, metadata)) throw schemaProblem(metadata)
  const {
    redirect_uris: redirectUris,
    client_name: name,
    client_uri: website,
    token_endpoint_auth_method: method = 'client_secret_basic',
  } = metadata
  for (const uri of redirectUris) {
    const problem = problemOfRedirectUri(uri)
    if (problem) throw new MetadataProblem('invalid_redirect_uri', problem)
  }
  const { grant_types: grants = ['authorization_code'], response_types: responses = ['code'], scope } = metadata
  if (!METHODS.includes(method)) throw wrong(`token_endpoint_auth_method is one of: ${METHODS.join(', ')}.`)
  if (!grants.includes('authorization_code')) throw wrong('grant_types includes authorization_code.')
  if (!responses.includes('code')) throw wrong('response_types includes code.')
  return {
    method,
    kept: {
      name: printable(name) || hostOf(redirectUris[0]),
      website: website !== undefined && /^https?:\/\/[^\s<>"]+$/.test(website) && website.length <= 500 ? website : null,
      redirectUris: [...new Set(redirectUris)],
      scopes: scopesNamed(scope),
    },
  }
}

/**
 * Registers a client that asks for itself. The secret, where it has one, is in this answer and nowhere else. Null where too many registrations
 * wait for a person to let them in.
 */
export async function registerApp(
  { sql }: Pick<Context, 'sql'>,
  metadata: unknown,
): Promise<{ app: App; secret: string | null; method: string } | null> {
  const { kept, method } = readMetadata(metadata)
  await deleteUnused(sql, 2)
  if ((await countUnused(sql, UNUSED_MAX)) >= UNUSED_MAX) return null
  const secret = method === 'none' ? null : newToken('cs')
  const secrets = secret === null ? { secretHash: null, secretLast4: null } : { secretHash: sha256(secret), secretLast4: secret.slice(-4) }
  return { app: await insertRegistered(sql, { id: newId('app'), ...kept, ...secrets }), secret, method }
}

/** Forgets registrations that nobody uses. */
export async function forgetUnused({ sql }: Pick<Context, 'sql'>): Promise<void> {
  while ((await deleteUnused(sql, BATCH)) === BATCH);
}

const wrong = (message: string) => new MetadataProblem('invalid_client_metadata', message)

function schemaProblem(metadata: unknown): MetadataProblem {
  const { path = '', message = 'is wrong' } = Value.Errors(ClientMetadata, metadata).First() ?? {}
  if (path.startsWith('/redirect_uris')) return new MetadataProblem('invalid_redirect_uri', 'redirect_uris lists 1 to 20 addresses.')
  return wrong(`${path.slice(1) || 'The body'}: ${message}.`)
}

/** Scopes of ours among those that are named; all of them where none is. */
function scopesNamed(scope: string | undefined): readonly Scope[] {
  const asked = new Set(scope?.split(/\s+/))
  const known = scopes.filter((one) => asked.has(one))
  return known.length > 0 ? known : scopes
}

/** A name without control characters and marks that turn the direction of text. */
const printable = (name = '') =>
  name
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .slice(0, 80)

const hostOf = (uri = '') => URL.parse(uri)?.host || 'App'
