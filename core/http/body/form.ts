import { ApiError } from '../errors/errors.ts'

interface Field {
  readonly type: 'string'
  readonly format?: string
  readonly description: string
}

/** Describes a multipart form with a file and other fields for OpenAPI. The route parses it itself. */
export const fileForm = (file: string, others: Readonly<Record<string, Field>> = {}) => ({
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object' as const,
        required: ['file'],
        properties: { file: { type: 'string' as const, format: 'binary', description: file }, ...others },
      },
    },
  },
})

/** Returns the content type of a multipart form. Throws 415 for any other. */
export function requireFormType(request: Request): string {
  const type = request.headers.get('content-type') ?? ''
  if (/^multipart\/form-data\b/i.test(type)) return type
  throw new ApiError('unsupported_media_type', 'Send multipart/form-data with the file as file.')
}
