/**
 * What stays of the global object, beside what the language itself brings. A process has no permission anyway; this takes away what an
 * adapter has no business with, so that it fails where it is written and not where it is refused.
 */
const KEPT = new Set(
  `globalThis Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol Date Promise RegExp Error AggregateError
  EvalError RangeError ReferenceError SyntaxError TypeError URIError SuppressedError JSON Math Intl Temporal ArrayBuffer Uint8Array Int8Array Uint16Array
  Int16Array Uint32Array Int32Array BigUint64Array BigInt64Array Uint8ClampedArray Float16Array Float32Array Float64Array DataView Map BigInt Set Iterator
  AsyncIterator WeakMap WeakSet WeakRef FinalizationRegistry Proxy Reflect DisposableStack AsyncDisposableStack decodeURI decodeURIComponent encodeURI
  encodeURIComponent escape unescape eval isFinite isNaN Atomics SharedArrayBuffer
  console crypto Crypto CryptoKey SubtleCrypto URL URLSearchParams URLPattern TextEncoder TextDecoder TextEncoderStream TextDecoderStream
  Headers Request Response FormData Blob File ReadableStream ReadableStreamDefaultReader WritableStream WritableStreamDefaultWriter TransformStream
  CompressionStream DecompressionStream AbortController AbortSignal Event EventTarget CustomEvent DOMException structuredClone queueMicrotask
  setTimeout clearTimeout setInterval clearInterval atob btoa`.split(/\s+/),
)

export function confine(): void {
  // What stays is put together at its first use, from parts that go.
  for (const name of KEPT) Reflect.get(globalThis, name)
  for (const name of Object.getOwnPropertyNames(globalThis)) if (!KEPT.has(name)) Reflect.deleteProperty(globalThis, name)
}
