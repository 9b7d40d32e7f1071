import { limits } from '../config.ts'
import { ApiError, invalid } from './errors.ts'

/** Deeper than anything that the interface describes, free-form metadata included. */
const DEPTH_MAX = 64

/** Stands in the place of a body that could not be read, so that 401 and 403 are answered before 400. */
export class UnreadableBody {
  constructor(readonly failure: ApiError) {}
}

/** How a route that names who may ask reads its body: JSON, within the limit. Callbacks name nobody, and read their exact bytes with `readBytes`. */
export async function parseBody({ request, headers }: { request: Request; headers: Record<string, string | undefined> }): Promise<unknown> {
  try {
    return await readJson(request, headers['content-type'] ?? '')
  } catch (error) {
    if (error instanceof ApiError) return new UnreadableBody(error)
    throw error
  }
}

async function readJson(request: Request, contentType: string): Promise<unknown> {
  const bytes = await readBytes(request, limits.bodyBytes)
  // Elysia takes `undefined` for "not parsed by me" and would try its own parsers.
  if (bytes.length === 0) return null
  const type = contentType.split(';')[0]!.trim().toLowerCase()
  if (type !== '' && type !== 'application/json' && !type.endsWith('+json')) {
    throw new ApiError('unsupported_media_type', `Send application/json, not ${type}.`)
  }
  const value = parseJson(bytes)
  if (nestedDeeper(value, DEPTH_MAX)) throw invalid('/body', `Nested deeper than ${DEPTH_MAX} levels.`)
  return value
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new ApiError('invalid_json', 'The body is not JSON that can be read.')
  }
}

/** Validators, serialisers and the database's `jsonb` all recurse: what is too deep for one of them stops here, level by level. */
function nestedDeeper(value: unknown, max: number): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > max) return true
    level = level.flatMap((part) => (part !== null && typeof part === 'object' ? Object.values(part) : []))
  }
  return false
}

/** The exact bytes of a body of at most `max` bytes. */
export async function readBytes(request: Request, max: number): Promise<Uint8Array> {
  const tooLarge = () => new ApiError('payload_too_large', `The body may have at most ${max} bytes.`)
  if (Number(request.headers.get('content-length') ?? 0) > max) throw tooLarge()
  const bytes = new Uint8Array(await request.arrayBuffer())
  if (bytes.length > max) throw tooLarge()
  return bytes
}
