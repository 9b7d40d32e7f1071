import type { CarrierContext, Label } from '../../../plugins/carrier/contract.ts'
import type { PrintedLabel } from '../../../plugins/carrier/segments.model.ts'
import type { Context } from '../../context.ts'
import { callAdapter } from '../../integrations/connections/calls/call-adapter.ts'
import { hostsOf } from '../../integrations/connections/calls/hosts.ts'
import type { CarrierConnection } from '../../integrations/connections/connection.ts'
import { AdapterFailure } from '../../integrations/egress/adapter-failure.ts'
import { isDeclaredHost } from '../../lib/net/outbound-target.ts'
import { hasPdfHeader, PDF_TYPE } from './rendering/pdf.ts'

const AT_ONCE = 4
/** Latest start of a download, so that started ones arrive before the deadline of the call. */
const BEGUN_MS = 15_000
const FILE_MS = 8_000

/** Label with the address of its file. */
interface LabelWithUrl {
  readonly label: Label
  readonly url: string
}

/**
 * Downloads label files that a carrier returned as addresses, from hosts that its adapter may reach. A label whose download fails keeps its
 * address, with the reason in `notMerged`.
 */
export async function fetchLabelFiles(
  context: Context,
  connection: CarrierConnection,
  labels: readonly Label[],
  bytesMax: number,
): Promise<PrintedLabel[]> {
  const found = new Map<Label, PrintedLabel>()
  const hosts = hostsOf(context, connection)
  const waiting: LabelWithUrl[] = []
  for (const label of labels) {
    const { base64, url } = label
    const host = URL.parse(url ?? '')?.hostname ?? ''
    if (base64 !== undefined || url === undefined) found.set(label, label)
    else if (isDeclaredHost(host, hosts)) waiting.push({ label, url })
    else found.set(label, { ...label, notMerged: `The adapter may not reach ${host}. The operator can add it to ADAPTER_HOSTS.` })
  }
  const until = Date.now() + BEGUN_MS
  let room = bytesMax
  const work = async (adapter: CarrierContext) => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if (Date.now() > until || room <= 0) return
      const fetched = await fetchFile(adapter, next)
      room -= fetched.base64?.length ?? 0
      found.set(next.label, fetched)
    }
  }
  if (waiting.length > 0)
    await callAdapter(context, connection, (_, adapter) => Promise.all(Array.from({ length: AT_ONCE }, () => work(adapter))), {
      operation: 'labelFiles',
      quota: 'poll',
    }).catch((error: unknown) => {
      if (!(error instanceof AdapterFailure)) throw error
    })
  return labels.map(
    (label) => found.get(label) ?? { ...label, notMerged: 'Its file did not arrive in time. Request fewer labels at once.' },
  )
}

/** Downloads one label file. Sends no credentials, because the address itself grants access. */
async function fetchFile({ fetch }: CarrierContext, { label, url }: LabelWithUrl): Promise<PrintedLabel> {
  try {
    const answer = await fetch(url, { headers: { accept: PDF_TYPE }, followRedirects: true, timeoutMs: FILE_MS })
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (!answer.ok) return { ...label, notMerged: `Its address responded with status ${answer.status}.` }
    if (!hasPdfHeader(bytes)) return { ...label, notMerged: 'The file at its address is not a PDF; open it in a browser.' }
    const { url: _, expiresAt: __, ...rest } = label
    return { ...rest, contentType: PDF_TYPE, base64: bytes.toString('base64') }
  } catch (error) {
    return { ...label, notMerged: error instanceof Error ? error.message : 'Its address did not respond.' }
  }
}
