import { labelPdf } from '../../../../support/simulator/pdf.ts'
import type { Call } from '../../../../support/simulator/simulator.ts'

export interface Access {
  readonly apiToken: string
  readonly userGuid: string
}

export const STORAGE_HOST = 'noest-labels.s3.eu-west-3.amazonaws.com'
const LIFE_SECONDS = 300

/** A signed address that dies after five minutes. */
export const labelAddress = (tracking: string, at: number) =>
  `https://${STORAGE_HOST}/labels/${tracking}.pdf?X-Amz-Date=${at}&X-Amz-Expires=${LIFE_SECONDS}&X-Amz-Signature=0f1e2d`

const refused = (status: number, code: string) =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code></Error>`, {
    status,
    headers: { 'content-type': 'application/xml' },
  })

/** The storage takes the signature in the address and no other proof beside it. */
export function stored({ path, query, headers, at }: Call): Response {
  if (headers.has('authorization')) return refused(400, 'InvalidArgument')
  if (at > Number(query.get('X-Amz-Date')) + Number(query.get('X-Amz-Expires')) * 1000) return refused(403, 'AccessDenied')
  const tracking = path.slice('/labels/'.length, -'.pdf'.length)
  return labelPdf(tracking)
}
