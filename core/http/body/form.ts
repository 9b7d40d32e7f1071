import { ApiError } from '../errors/errors.ts'

interface Field {
  readonly type: 'string'
  readonly format?: string
  readonly description: string
}

/** A form with a file and perhaps more, as it is described; it is read by hand, since a file is no JSON. */
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

/** The content type of a form; 415 for anything else. */
export function formType(request: Request): string {
  const type = request.headers.get('content-type') ?? ''
  if (/^multipart\/form-data\b/i.test(type)) return type
  throw new ApiError('unsupported_media_type', 'Send multipart/form-data with the file as file.')
}
