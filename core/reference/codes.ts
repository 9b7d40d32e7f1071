import type { ErrorCode } from '../http/errors.ts'

type Node = Record<string, unknown>

/** Codes of 409 and 422 that operations answer with. */
export const codesOf = (_operationId: string, _operation: Node): readonly ErrorCode[] => []
