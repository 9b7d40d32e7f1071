import { note, noteOn, number, present, text } from 'serai/carrier'
import type { Context } from './fields.ts'

const PACKAGE = 'package'

/** What the carrier told of a package when it was sent, and asks for or shows nowhere else: packages are read by their numeric id. */
export interface PackageNote {
  readonly id?: number
  readonly printUrl?: string
}

/** Never fails: the package is made, and an error here would make its outcome unknown. */
export async function notePackage(context: Context, trackingId: string, told: PackageNote): Promise<void> {
  try {
    await note(context, PACKAGE, trackingId, { ...told })
  } catch (error) {
    context.log('could not note where the label of a package stands', { trackingId, problem: String(error) })
  }
}

export async function packageNote(context: Context, trackingId: string): Promise<PackageNote> {
  const { id, printUrl } = (await noteOn(context, PACKAGE, trackingId)) ?? {}
  return present({ id: number(id), printUrl: text(printUrl) })
}
