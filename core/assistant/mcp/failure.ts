import { ApiError } from '../../http/errors/errors.ts'
import { OutboundError } from '../../lib/net/outbound.ts'
import type { Sdk } from './client/sdk.ts'
import type { McpServerRow } from './mcp.queries.ts'

const WORDS_MAX = 300

/** What of a foreign text may be shown: one line, and no more than that. */
export const words = (text: string, most = WORDS_MAX): string => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  const plain = text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, ' ').trim()
  return plain.length > most ? `${plain.slice(0, most)}…` : plain
}

/** Somebody has to sign in, or to sign in again for more than before. */
export const signInNeeded = ({ id, name }: Pick<McpServerRow, 'id' | 'name'>, why = 'has not let you in') =>
  new ApiError('mcp_sign_in_needed', `${name} ${why}. Sign in there: POST /v1/chat/mcp-servers/${id}/oauth/start.`)

const failed = (message: string, cause: unknown) => new ApiError('mcp_server_failed', message, { cause })

/** The first of an error and what it came of that is such. */
function causeOf<E extends Error>(error: unknown, is: (each: Error) => each is E): E | undefined {
  let each = error
  for (let depth = 0; each instanceof Error && depth < 6; depth += 1) {
    if (is(each)) return each
    each = each.cause
  }
  return undefined
}

const isOutbound = (error: Error): error is OutboundError => error instanceof OutboundError

/** Whether it was not there, or not well: what it answered, be it a refusal, it was there for. */
export function isAway(sdk: Sdk, error: unknown): boolean {
  const outbound = causeOf(error, isOutbound)
  if (outbound) return outbound.reason !== 'refused'
  const http = causeOf(error, (each): each is InstanceType<Sdk['SdkHttpError']> => each instanceof sdk.SdkHttpError)
  if (http) return http.status >= 500
  const ours = causeOf(error, (each): each is InstanceType<Sdk['SdkError']> => each instanceof sdk.SdkError)
  return ours?.code === sdk.SdkErrorCode.RequestTimeout
}

/** What the library or the way out threw, as callers hear of it: whose fault it was, and what to do. */
export function failureOf(sdk: Sdk, server: Pick<McpServerRow, 'id' | 'name' | 'auth'>, error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const { name } = server
  const outbound = causeOf(error, isOutbound)
  if (outbound) return ofTheWay(name, outbound)
  if (causeOf(error, (each): each is Error => each instanceof sdk.UnauthorizedError)) return signInNeeded(server)
  const lacking = causeOf(error, (each): each is InstanceType<Sdk['InsufficientScopeError']> => each instanceof sdk.InsufficientScopeError)
  if (lacking)
    return signInNeeded(server, `wants more than you allowed${lacking.requiredScope ? ` (${words(lacking.requiredScope, 100)})` : ''}`)
  const http = causeOf(error, (each): each is InstanceType<Sdk['SdkHttpError']> => each instanceof sdk.SdkHttpError)
  if (http) return ofStatus(server, http.status, error)
  const ours = causeOf(error, (each): each is InstanceType<Sdk['SdkError']> => each instanceof sdk.SdkError)
  if (ours?.code === sdk.SdkErrorCode.RequestTimeout) return new ApiError('upstream_timeout', `${name} did not answer in time.`)
  return failed(`${name} cannot be used: ${words(error instanceof Error ? error.message : 'it said nothing that can be read.')}`, error)
}

function ofTheWay(name: string, error: OutboundError): ApiError {
  if (error.reason === 'timeout') return new ApiError('upstream_timeout', `${name} did not answer in time.`, { cause: error })
  return failed(`${name} cannot be reached: ${error.message}`, error)
}

function ofStatus(server: Pick<McpServerRow, 'id' | 'name' | 'auth'>, status: number, cause: unknown): ApiError {
  const { name, auth } = server
  const refuses = status === 401 || status === 403
  if (refuses && auth === 'oauth') return signInNeeded(server)
  if (refuses && auth === 'headers')
    return failed(`${name} refuses the headers that were entered for it. Enter those that it gives.`, cause)
  if (refuses) return failed(`${name} lets nobody in without a credential: set its auth to headers or oauth.`, cause)
  return failed(`${name} answered with status ${status}.`, cause)
}
