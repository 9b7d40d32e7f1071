import { DomainError } from '../../lib/errors/domain-error.ts'
import { OutboundError } from '../../lib/net/outbound-error.ts'
import type { Sdk } from './client/sdk.ts'
import { mcpErrors } from './mcp.errors.ts'
import type { McpServerRow } from './mcp.queries.ts'

/** Characters of a foreign text that are shown. */
const TEXT_MAX = 300

/** Makes a foreign text safe to show: one line without control and direction characters, cut to `most` characters. */
export const sanitizeText = (text: string, most = TEXT_MAX): string => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  const plain = text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, ' ').trim()
  return plain.length > most ? `${plain.slice(0, most)}…` : plain
}

/** Returns the error that asks the user to sign in at a server. */
export const signInNeededError = ({ id, name }: Pick<McpServerRow, 'id' | 'name'>, reason = 'requires a sign-in') =>
  mcpErrors.signInNeeded({ name, reason, id })

/** Returns the first error of a type in a chain of causes; undefined when there is none. */
function causeOf<E extends Error>(error: unknown, is: (each: Error) => each is E): E | undefined {
  let each = error
  for (let depth = 0; each instanceof Error && depth < 6; depth += 1) {
    if (is(each)) return each
    each = each.cause
  }
  return undefined
}

const isOutbound = (error: Error): error is OutboundError => error instanceof OutboundError

/** Returns true when a server was unreachable or broken. A refusal does not count: the server has answered. */
export function isUnavailable(sdk: Sdk, error: unknown): boolean {
  const outbound = causeOf(error, isOutbound)
  if (outbound) return outbound.reason !== 'refused'
  const http = causeOf(error, (each): each is InstanceType<Sdk['SdkHttpError']> => each instanceof sdk.SdkHttpError)
  if (http) return http.status >= 500
  const ours = causeOf(error, (each): each is InstanceType<Sdk['SdkError']> => each instanceof sdk.SdkError)
  return ours?.code === sdk.SdkErrorCode.RequestTimeout
}

/** Converts an error of the library or of egress to an `DomainError` that says what failed and what to do. */
export function failureOf(sdk: Sdk, server: Pick<McpServerRow, 'id' | 'name' | 'auth'>, error: unknown): DomainError {
  if (error instanceof DomainError) return error
  const { name } = server
  const outbound = causeOf(error, isOutbound)
  if (outbound) return outboundFailure(name, outbound)
  if (causeOf(error, (each): each is Error => each instanceof sdk.UnauthorizedError)) return signInNeededError(server)
  const lacking = causeOf(error, (each): each is InstanceType<Sdk['InsufficientScopeError']> => each instanceof sdk.InsufficientScopeError)
  if (lacking)
    return signInNeededError(
      server,
      `requires more permissions than you granted${lacking.requiredScope ? ` (${sanitizeText(lacking.requiredScope, 100)})` : ''}`,
    )
  const http = causeOf(error, (each): each is InstanceType<Sdk['SdkHttpError']> => each instanceof sdk.SdkHttpError)
  if (http) return statusFailure(server, http.status, error)
  const ours = causeOf(error, (each): each is InstanceType<Sdk['SdkError']> => each instanceof sdk.SdkError)
  if (ours?.code === sdk.SdkErrorCode.RequestTimeout) return mcpErrors.serverTimedOut({ name })
  const reason = sanitizeText(error instanceof Error ? error.message : 'it said nothing that can be read.')
  return mcpErrors.serverUnusable({ name, reason }, { cause: error })
}

function outboundFailure(name: string, error: OutboundError): DomainError {
  if (error.reason === 'timeout') return mcpErrors.serverTimedOut({ name }, { cause: error })
  return mcpErrors.serverUnreachable({ name, reason: error.message }, { cause: error })
}

function statusFailure(server: Pick<McpServerRow, 'id' | 'name' | 'auth'>, status: number, cause: unknown): DomainError {
  const { name, auth } = server
  const refuses = status === 401 || status === 403
  if (refuses && auth === 'oauth') return signInNeededError(server)
  if (refuses && auth === 'headers') return mcpErrors.headersRefused({ name }, { cause })
  if (refuses) return mcpErrors.credentialMissing({ name }, { cause })
  return mcpErrors.unexpectedStatus({ name, status }, { cause })
}
