// Is any member of the tangent bases' list, chosen at run time: the motion above it is compiled once for all.
#pragma once

#include "list.hpp"
#include "unconstrained.hpp"

namespace mechfmu {

template <class Model>
class AnyBasis {
 public:
  /// Makes the basis at place `member` of the list.
  AnyBasis(Arena& arena, const Model& model, int member)
      : basis_(is_free_and_sparse(model.sizes())
                   ? static_cast<Face*>(arena.make<Of<UnconstrainedBasis<Model>>>(arena, model))
                   : make(arena, member, TangentBases<Model>{}, model)),
        carried(basis_ != nullptr && basis_->carried()) {}

  bool factor(const double* M, const double* C, Choice& choice) { return basis_->factor(M, C, choice); }
  void see(const Point& point) { basis_->see(point); }
  ColumnsView<> W() const { return basis_->W(); }
  void apply(const double* u, double* v) const { basis_->apply(u, v); }
  void onto(const double* x, double* u) const { basis_->onto(x, u); }
  void particular(const double* residual, double* x) const { basis_->particular(residual, x); }
  void multipliers(const double* force, double* lambda) const { basis_->multipliers(force, lambda); }
  void differentiate(const double* M, const double* M_rate, const double* C_rate) {
    basis_->differentiate(M, M_rate, C_rate);
  }
  void rate_transposed_times(const double* x, double* y) const { basis_->rate_transposed_times(x, y); }

 private:
  /// Declares the contract of a member (tangent_basis.hpp) as virtual functions.
  struct Face {
    virtual bool carried() const = 0;
    virtual bool factor(const double* M, const double* C, Choice&) = 0;
    virtual void see(const Point&) = 0;
    virtual ColumnsView<> W() const = 0;
    virtual void apply(const double* u, double* v) const = 0;
    virtual void onto(const double* x, double* u) const = 0;
    virtual void particular(const double* residual, double* x) const = 0;
    virtual void multipliers(const double* force, double* lambda) const = 0;
    virtual void differentiate(const double* M, const double* M_rate, const double* C_rate) = 0;
    virtual void rate_transposed_times(const double* x, double* y) const = 0;

   protected:
    ~Face() = default;
  };
  template <class Basis>
  struct Of final : Face {
    Of(Arena& arena, const Model& model)
        : n(model.sizes().velocities), k(model.sizes().degrees_of_freedom()), basis(arena, model) {}
    bool carried() const override { return Basis::carried; }
    bool factor(const double* M, const double* C, Choice& choice) override { return basis.factor(M, C, choice); }
    void see(const Point& point) override { mechfmu::see(basis, point); }
    ColumnsView<> W() const override { return basis.W(); }
    void apply(const double* u, double* v) const override { mechfmu::apply(basis, n, k, u, v); }
    void onto(const double* x, double* u) const override { mechfmu::onto(basis, n, k, x, u); }
    void particular(const double* residual, double* x) const override { basis.particular(residual, x); }
    void multipliers(const double* force, double* lambda) const override { basis.multipliers(force, lambda); }
    void differentiate(const double* M, const double* M_rate, const double* C_rate) override {
      basis.differentiate(M, M_rate, C_rate);
    }
    void rate_transposed_times(const double* x, double* y) const override { basis.rate_transposed_times(x, y); }
    int n, k;
    Basis basis;
  };
  template <class First, class... Others>
  static Face* make(Arena& arena, int member, List<First, Others...>, const Model& model) {
    if (member == 0) return arena.make<Of<First>>(arena, model);
    if constexpr (sizeof...(Others) > 0) return make(arena, member - 1, List<Others...>{}, model);
    else return nullptr;
  }

  Face* basis_;

 public:
  const bool carried;
};

}  // namespace mechfmu
