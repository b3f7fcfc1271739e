/* Binds mathematical functions to the versions that every glibc has had from the start, so that a library made on a
   new system loads on an old one. The newer versions (glibc 2.29 and 2.35) only differ in how they report errors.
   Included ahead of every FMU source on the command line (-include). */
#if defined(__linux__) && defined(__GNUC__) && !defined(__ASSEMBLER__)
#if defined(__x86_64__)
#define MECHFMU_OLD_GLIBC "GLIBC_2.2.5"
#elif defined(__aarch64__)
#define MECHFMU_OLD_GLIBC "GLIBC_2.17"
#endif
#ifdef MECHFMU_OLD_GLIBC
__asm__(".symver exp,exp@" MECHFMU_OLD_GLIBC);
__asm__(".symver exp2,exp2@" MECHFMU_OLD_GLIBC);
__asm__(".symver log,log@" MECHFMU_OLD_GLIBC);
__asm__(".symver log2,log2@" MECHFMU_OLD_GLIBC);
__asm__(".symver pow,pow@" MECHFMU_OLD_GLIBC);
__asm__(".symver hypot,hypot@" MECHFMU_OLD_GLIBC);
#undef MECHFMU_OLD_GLIBC
#endif
#endif
