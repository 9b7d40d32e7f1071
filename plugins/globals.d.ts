/**
 * Globals of the sandbox in which adapters run, in addition to those of the language. There is no `fetch` except `context.fetch`, no `Buffer`,
 * no `process` and no file system: see `plugins/host/sandbox/confine.ts`.
 */
type BufferSource = ArrayBufferView<ArrayBuffer> | ArrayBuffer
type BodyInit = string | Blob | BufferSource | FormData | URLSearchParams | ReadableStream
type HeadersInit = Headers | Readonly<Record<string, string>> | readonly (readonly [string, string])[]

interface Console {
  log(...words: unknown[]): void
  info(...words: unknown[]): void
  warn(...words: unknown[]): void
  error(...words: unknown[]): void
  debug(...words: unknown[]): void
  trace(...words: unknown[]): void
}
declare const console: Console

declare class URL {
  constructor(url: string | URL, base?: string | URL)
  static canParse(url: string, base?: string): boolean
  static parse(url: string, base?: string): URL | null
  hash: string
  host: string
  hostname: string
  href: string
  readonly origin: string
  password: string
  pathname: string
  port: string
  protocol: string
  search: string
  readonly searchParams: URLSearchParams
  username: string
  toString(): string
  toJSON(): string
}

declare class URLSearchParams implements Iterable<[string, string]> {
  constructor(init?: string | URLSearchParams | Readonly<Record<string, string>> | readonly (readonly [string, string])[])
  readonly size: number
  append(name: string, value: string): void
  delete(name: string): void
  get(name: string): string | null
  getAll(name: string): string[]
  has(name: string): boolean
  set(name: string, value: string): void
  sort(): void
  entries(): IterableIterator<[string, string]>
  keys(): IterableIterator<string>
  values(): IterableIterator<string>
  [Symbol.iterator](): IterableIterator<[string, string]>
  toString(): string
}

declare class TextEncoder {
  encode(text?: string): Uint8Array<ArrayBuffer>
}
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean })
  decode(bytes?: ArrayBufferView | ArrayBuffer, options?: { stream?: boolean }): string
}

interface CryptoKey {
  readonly type: string
}
interface SubtleCrypto {
  digest(algorithm: string | { name: string }, data: BufferSource): Promise<ArrayBuffer>
  importKey(
    format: string,
    data: BufferSource | object,
    algorithm: string | object,
    extractable: boolean,
    uses: readonly string[],
  ): Promise<CryptoKey>
  sign(algorithm: string | object, key: CryptoKey, data: BufferSource): Promise<ArrayBuffer>
  verify(algorithm: string | object, key: CryptoKey, signature: BufferSource, data: BufferSource): Promise<boolean>
  encrypt(algorithm: string | object, key: CryptoKey, data: BufferSource): Promise<ArrayBuffer>
  decrypt(algorithm: string | object, key: CryptoKey, data: BufferSource): Promise<ArrayBuffer>
  deriveBits(algorithm: string | object, key: CryptoKey, length: number): Promise<ArrayBuffer>
}
declare const crypto: {
  readonly subtle: SubtleCrypto
  getRandomValues<V extends ArrayBufferView>(into: V): V
  randomUUID(): string
}

declare class Headers implements Iterable<[string, string]> {
  constructor(init?: HeadersInit)
  append(name: string, value: string): void
  delete(name: string): void
  get(name: string): string | null
  getSetCookie(): string[]
  has(name: string): boolean
  set(name: string, value: string): void
  entries(): IterableIterator<[string, string]>
  keys(): IterableIterator<string>
  values(): IterableIterator<string>
  [Symbol.iterator](): IterableIterator<[string, string]>
}

declare class Blob {
  constructor(parts?: readonly (string | Blob | BufferSource)[], options?: { type?: string })
  readonly size: number
  readonly type: string
  arrayBuffer(): Promise<ArrayBuffer>
  bytes(): Promise<Uint8Array<ArrayBuffer>>
  slice(start?: number, end?: number, type?: string): Blob
  stream(): ReadableStream
  text(): Promise<string>
}
declare class File extends Blob {
  constructor(parts: readonly (string | Blob | BufferSource)[], name: string, options?: { type?: string })
  readonly name: string
}
declare class FormData {
  append(name: string, value: string | Blob, filename?: string): void
  get(name: string): string | File | null
  set(name: string, value: string | Blob, filename?: string): void
  entries(): IterableIterator<[string, string | File]>
}
interface ReadableStream<V = Uint8Array<ArrayBuffer>> extends AsyncIterable<V> {
  readonly locked: boolean
  pipeThrough<R>(pair: { readonly readable: R; readonly writable: object }): R
}
declare class CompressionStream {
  constructor(format: 'gzip' | 'deflate' | 'deflate-raw')
  readonly readable: ReadableStream
  readonly writable: object
}
declare class DecompressionStream {
  constructor(format: 'gzip' | 'deflate' | 'deflate-raw')
  readonly readable: ReadableStream
  readonly writable: object
}

declare class Response {
  constructor(body?: BodyInit | null, init?: { status?: number; statusText?: string; headers?: HeadersInit })
  static json(value: unknown, init?: { status?: number; headers?: HeadersInit }): Response
  readonly body: ReadableStream | null
  readonly bodyUsed: boolean
  readonly headers: Headers
  readonly ok: boolean
  readonly redirected: boolean
  readonly status: number
  readonly statusText: string
  readonly url: string
  arrayBuffer(): Promise<ArrayBuffer>
  blob(): Promise<Blob>
  bytes(): Promise<Uint8Array<ArrayBuffer>>
  clone(): Response
  formData(): Promise<FormData>
  json(): Promise<unknown>
  text(): Promise<string>
}

declare class AbortSignal {
  static abort(reason?: unknown): AbortSignal
  static any(signals: readonly AbortSignal[]): AbortSignal
  static timeout(ms: number): AbortSignal
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
  throwIfAborted(): void
}
declare class AbortController {
  readonly signal: AbortSignal
  abort(reason?: unknown): void
}
declare class DOMException extends Error {
  constructor(message?: string, name?: string)
}

declare function structuredClone<V>(value: V): V
declare function queueMicrotask(work: () => void): void
declare function setTimeout(work: () => void, ms?: number): number
declare function clearTimeout(timer: number | undefined): void
declare function setInterval(work: () => void, ms?: number): number
declare function clearInterval(timer: number | undefined): void
declare function atob(base64: string): string
declare function btoa(letters: string): string
