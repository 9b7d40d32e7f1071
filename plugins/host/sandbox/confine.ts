/**
 * Globals that an adapter keeps besides those of the language. The process has no permissions anyway. Removing the other globals makes
 * wrong code fail at the place where it uses one.
 */
const ALLOWED_GLOBALS = new Set(
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

/** Removes all other globals from this process. */
export function confine(): void {
  // Some globals are created lazily, at first use, from parts that are removed below.
  for (const name of ALLOWED_GLOBALS) Reflect.get(globalThis, name)
  for (const name of Object.getOwnPropertyNames(globalThis)) if (!ALLOWED_GLOBALS.has(name)) Reflect.deleteProperty(globalThis, name)
}
