import type { ChallengeAnswer, InboundRequest } from '../../../plugins/adapter.ts'
import { limits } from '../../config.ts'
import type { Context } from '../../context.ts'
import { publicUrlOf } from '../../http/address/server-address.ts'
import { readBytes } from '../../http/body/body.ts'

/** Reads a callback with its exact bytes, at most `maxBytes`. Throws `payload_too_large`, `request_timeout`, `request_aborted`. */
export const readInboundRequest = async (
  context: Context,
  request: Request,
  maxBytes: number = limits.bodyBytes,
): Promise<InboundRequest> => ({
  method: request.method,
  url: publicUrlOf(context, request),
  headers: Object.fromEntries(request.headers),
  body: await readBytes(request, maxBytes),
})

/** Builds the response to a callback. */
export const toResponse = ({ status, contentType, body }: ChallengeAnswer): Response =>
  new Response(body, { status, headers: { 'content-type': contentType } })
