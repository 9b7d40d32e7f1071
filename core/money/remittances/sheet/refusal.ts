import type { ErrorCode } from '../../../lib/errors/codes.ts'
import type { DomainError, FieldIssue } from '../../../lib/errors/domain-error.ts'

/** Error as the worker sends it, because error classes do not survive the transfer between threads. */
export interface SheetRefusal {
  readonly code: ErrorCode
  readonly message: string
  readonly issues: readonly FieldIssue[]
}

/** Returns the parts of an error that can be sent between threads. */
export const refusalOf = ({ code, message, issues }: DomainError): SheetRefusal => ({ code, message, issues })
