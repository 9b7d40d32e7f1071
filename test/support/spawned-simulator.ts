interface Spawned {
  readonly url: string
  /** An act of its own: asked for, or done where there is a body. */
  control(name: string, body?: object): Promise<never>
}

/** Runs a carrier's simulator as a process of its own for as long as `work` lasts. */
export async function withSpawned(name: string, work: (simulator: Spawned) => Promise<void>): Promise<void> {
  const child = Bun.spawn([process.execPath, `${import.meta.dir}/../adapters/carrier/${name}/simulator.ts`, '--port', '0'], {
    stdout: 'pipe',
  })
  try {
    const { value } = await child.stdout.getReader().read()
    const url = new TextDecoder().decode(value).trim()
    const control = async (act: string, body?: object) => {
      const response = await fetch(`${url}/_control/${act}`, body ? { method: 'POST', body: JSON.stringify(body) } : {})
      return (await response.json()) as never
    }
    await work({ url, control })
  } finally {
    child.kill()
    await child.exited
  }
}
