import { note, noteOn, number, present, text } from 'serai/carrier'
import type { Context } from './fields.ts'

const PACKAGE = 'package'

/** Data of a package that only the sending answer holds. Packages are read by their numeric id. */
export interface PackageNote {
  readonly id?: number
  readonly printUrl?: string
}

/** Stores the note. Never fails: the package exists, and an error would make its outcome unknown. */
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
