import { type Static, Type as T } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Context } from '../../context.ts'
import { type Scope, scopes } from '../../http/auth/scopes.ts'
import { named } from '../../http/schema.ts'
import { newToken, sha256 } from '../../lib/crypto/crypto.ts'
import { newId } from '../../lib/ids.ts'
import type { App } from './client.ts'
import { problemOfRedirectUri } from './redirect-uris.ts'
import { countUnusedRegistrations, deleteUnusedRegistrations, insertRegisteredApp, type NewRegistration } from './registrations.queries.ts'

/** Maximum number of self-registered clients that no user has authorized yet. */
export const UNUSED_CLIENTS_MAX = 5_000
const BATCH = 1_000

const Text = (maxLength: number) => T.String({ minLength: 1, maxLength })
const Texts = T.Array(Text(200), { maxItems: 50 })

/** Client metadata (RFC 7591, section 2). Fields that are not listed are ignored, as the RFC requires. */
export const ClientMetadata = named(
  'ClientRegistration',
  T.Object(
    {
      redirect_uris: T.Array(Text(2_000), {
        minItems: 1,
        maxItems: 20,
        description: 'https, a private-use scheme with a dot in it, or http on a loopback address',
      }),
      client_name: T.Optional(T.String({ maxLength: 200, description: 'shown to the user on the consent page' })),
      client_uri: T.Optional(T.String({ maxLength: 2_000, description: 'the website of the client' })),
      token_endpoint_auth_method: T.Optional(Text(60)),
      grant_types: T.Optional(Texts),
      response_types: T.Optional(Texts),
      scope: T.Optional(T.String({ maxLength: 2_000, description: 'scopes separated by spaces; unknown ones are ignored' })),
    },
    { additionalProperties: true },
  ),
)
/** Type of {@link ClientMetadata}. */
export type ClientMetadata = Static<typeof ClientMetadata>

/** Error in client metadata, with the error code of RFC 7591, section 3.2.2. */
export class ClientMetadataError extends Error {
  override readonly name = 'MetadataProblem'
  constructor(
    readonly code: 'invalid_redirect_uri' | 'invalid_client_metadata',
    message: string,
  ) {
    super(message)
  }
}

const METHODS = ['client_secret_basic', 'client_secret_post', 'none']

/**
 * Validates client metadata. Returns the fields to store and the token endpoint authentication method. Throws {@link ClientMetadataError}.
 */
export function parseClientMetadata(metadata: unknown): {
  readonly client: Omit<NewRegistration, 'id' | 'secretHash' | 'secretLast4'>
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
    if (problem) throw new ClientMetadataError('invalid_redirect_uri', problem)
  }
  const { grant_types: grants = ['authorization_code'], response_types: responses = ['code'], scope } = metadata
  if (!METHODS.includes(method)) throw invalidMetadata(`token_endpoint_auth_method must be one of: ${METHODS.join(', ')}.`)
  if (!grants.includes('authorization_code')) throw invalidMetadata('grant_types must include authorization_code.')
  if (!responses.includes('code')) throw invalidMetadata('response_types must include code.')
  return {
    method,
    client: {
      name: printable(name) || hostOf(redirectUris[0]),
      website: website !== undefined && /^https?:\/\/[^\s<>"]+$/.test(website) && website.length <= 500 ? website : null,
      redirectUris: [...new Set(redirectUris)],
      scopes: knownScopes(scope),
    },
  }
}

/**
 * Registers a client that applies by itself (RFC 7591). Only the result holds its secret. Returns null when {@link UNUSED_CLIENTS_MAX}
 * unused registrations exist. Throws {@link ClientMetadataError}.
 */
export async function registerApp(
  { sql }: Pick<Context, 'sql'>,
  metadata: unknown,
): Promise<{ app: App; secret: string | null; method: string } | null> {
  const { client, method } = parseClientMetadata(metadata)
  await deleteUnusedRegistrations(sql, 2)
  if ((await countUnusedRegistrations(sql, UNUSED_CLIENTS_MAX)) >= UNUSED_CLIENTS_MAX) return null
  const secret = method === 'none' ? null : newToken('cs')
  const secrets = secret === null ? { secretHash: null, secretLast4: null } : { secretHash: sha256(secret), secretLast4: secret.slice(-4) }
  return { app: await insertRegisteredApp(sql, { id: newId('app'), ...client, ...secrets }), secret, method }
}

/** Deletes the self-registered clients that no user has authorized for a day. */
export async function deleteUnusedClients({ sql }: Pick<Context, 'sql'>): Promise<void> {
  while ((await deleteUnusedRegistrations(sql, BATCH)) === BATCH);
}

const invalidMetadata = (message: string) => new ClientMetadataError('invalid_client_metadata', message)

function schemaProblem(metadata: unknown): ClientMetadataError {
  const { path = '', message = 'is wrong' } = Value.Errors(ClientMetadata, metadata).First() ?? {}
  if (path.startsWith('/redirect_uris'))
    return new ClientMetadataError('invalid_redirect_uri', 'redirect_uris must list 1 to 20 addresses.')
  return invalidMetadata(`${path.slice(1) || 'The body'}: ${message}.`)
}

/** Returns the known scopes among those that are named. Returns all scopes when none of them is known. */
function knownScopes(scope: string | undefined): readonly Scope[] {
  const asked = new Set(scope?.split(/\s+/))
  const known = scopes.filter((one) => asked.has(one))
  return known.length > 0 ? known : scopes
}

/** Removes control characters and direction marks from a name, and cuts it to 80 characters. */
const printable = (name = '') =>
  name
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .slice(0, 80)

const hostOf = (uri = '') => URL.parse(uri)?.host || 'App'
