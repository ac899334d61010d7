/** One of every `step` entries, beginning with the first; all of them with `SPECMILL_FULL=1`. */
export function sampleOf<Entry>(all: readonly Entry[], step: number): readonly Entry[] {
  return process.env['SPECMILL_FULL'] === '1' ? all : all.filter((_, index) => index % step === 0);
}
